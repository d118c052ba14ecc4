package io.queen.web;

import jakarta.ws.rs.NameBinding;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/**
 * On a method of a resource that changes something in the place of an operator: the act is written down, done or not, by
 * {@code admin.audit}. Other methods pay nothing for it.
 */
@NameBinding
@Retention(RetentionPolicy.RUNTIME)
public @interface Audited {}
