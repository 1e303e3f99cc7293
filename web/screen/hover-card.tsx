import type { Bounds } from "../../src/model/bounds.ts";
import { AppText } from "../app-text.tsx";
import type { DeskControl } from "../desk-model.ts";
import { useConfidence } from "./confidence.ts";

interface HoverCardProps {
  readonly control: DeskControl;
  readonly bounds: Bounds;
  readonly x: number;
  readonly y: number;
}

/** Describes the control under the pointer. For keyboard users the line below the picture says the same. */
export function HoverCard({ control, bounds, x, y }: HoverCardProps) {
  const confidence = useConfidence(control.mark);
  const isRight = x > innerWidth / 2;
  const isLow = y > innerHeight / 2;
  return (
    <div
      class="card"
      aria-hidden="true"
      style={{
        left: isRight ? "auto" : `${x + 14}px`,
        right: isRight ? `${innerWidth - x + 14}px` : "auto",
        top: isLow ? "auto" : `${y + 14}px`,
        bottom: isLow ? `${innerHeight - y + 14}px` : "auto",
      }}
    >
      <p>
        <span class="mark">{control.mark}</span> <span class="quiet">{control.role}</span>{" "}
        <strong>
          <AppText text={control.name} />
        </strong>
      </p>
      {control.taught === "" ? null : (
        <p>
          taught: <AppText text={control.taught} />
        </p>
      )}
      {control.value === "" ? null : (
        <p>
          value: <AppText text={control.value.slice(0, 200)} />
        </p>
      )}
      {control.states.length === 0 ? null : <p>{control.states.join(", ")}</p>}
      <p class="quiet">
        {bounds.width}×{bounds.height} at {bounds.x}, {bounds.y}
      </p>
      <p class="quiet">{confidence ?? "…"}</p>
    </div>
  );
}
