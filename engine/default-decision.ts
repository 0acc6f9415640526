/** The decision where neither a caller nor a configuration names one. */
export const defaultDecision = '/system/main';
