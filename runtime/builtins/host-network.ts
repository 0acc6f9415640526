/** HTTP and name look-up, as the platform has them. */
export type HostNetwork = {};
