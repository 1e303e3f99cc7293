export async function runRescue(_f: unknown): Promise<void> {}
