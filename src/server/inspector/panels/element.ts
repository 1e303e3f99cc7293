import type { Method } from "../panel.ts";

export const elementMethods: readonly Method[] = [];
