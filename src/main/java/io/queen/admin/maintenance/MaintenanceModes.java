package io.queen.admin.maintenance;

/** Which maintenance modes are on: pushes wait in the file buffer, pops answer empty. */
public record MaintenanceModes(boolean push, boolean pop) {}
