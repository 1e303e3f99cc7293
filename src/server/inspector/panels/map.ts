import type { Method } from "../panel.ts";

export const mapMethods: readonly Method[] = [];
