/** What can be set, with defaults and limits: {@link io.queen.config.QueenConfig}. Usable by all packages. */
package io.queen.config;
