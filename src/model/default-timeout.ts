/** The default time an application has to answer. */
export const defaultTimeoutMs = 5000;
