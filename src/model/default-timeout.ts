/** Time allowed for each application to answer, where nobody says otherwise. */
export const defaultTimeoutMs = 5000;
