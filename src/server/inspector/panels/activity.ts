import type { Method } from "../panel.ts";

export const activityMethods: readonly Method[] = [];
