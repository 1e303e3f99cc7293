import type { TargetedKeyboardEvent, TargetedPointerEvent } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ShownMonitor } from "../../src/inspector/screen.ts";
import { type Bounds, containsPoint, type Point } from "../../src/model/bounds.ts";
import { type PagePlace, pageToScreen, screenBoundsToPage } from "../../src/model/coordinates.ts";
import { AppText } from "../app-text.tsx";
import type { DeskControl } from "../desk-model.ts";
import { drawMarks, layTags } from "./draw.ts";
import { keepFree } from "./free-tags.ts";
import { HoverCard } from "./hover-card.tsx";
import { findAt, findBeside, type SeenControl } from "./marks.ts";
import type { TakenPicture } from "./picture-feed.ts";

interface SurfaceProps {
  readonly picture: TakenPicture;
  /** The part of the screen that is shown. */
  readonly view: Bounds;
  /** Page pixels per screen pixel. */
  readonly scale: number;
  readonly seen: readonly SeenControl[];
  readonly marked: readonly SeenControl[];
  readonly chosen: SeenControl | undefined;
  /** Whether every mark has its tag, even where that hides something. */
  readonly isEveryTagShown: boolean;
  onChoose(one: SeenControl | undefined): void;
  /** The selected control was clicked. */
  onOpen(): void;
  onPoint(point: Point | undefined): void;
  onPick(point: Point): void;
  onKey(key: string): boolean;
}

const directions: Readonly<Record<string, readonly [number, number]>> = {
  ArrowRight: [1, 0],
  ArrowLeft: [-1, 0],
  ArrowDown: [0, 1],
  ArrowUp: [0, -1],
};

interface Hover {
  readonly one: SeenControl;
  readonly x: number;
  readonly y: number;
}

/** The picture with the marks over it. */
export function Surface(props: SurfaceProps) {
  const { picture, view, scale, seen, marked, chosen, isEveryTagShown, onChoose, onOpen, onPoint, onPick, onKey } =
    props;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [hover, setHover] = useState<Hover | undefined>(undefined);
  // No hover card for the pressed control: it would cover the control, and the element panel says more.
  const [pressed, setPressed] = useState<DeskControl | undefined>(undefined);
  const source = usePictureSource(picture);
  const place = useMemo((): PagePlace => ({ origin: view, scaleFactor: 1 / scale }), [view, scale]);
  const [width, height] = [view.width * scale, view.height * scale];
  const tags = useMemo(() => {
    const all = layTags(marked, place, { width, height });
    return isEveryTagShown ? all : keepFree(all, { x: 0, y: 0, width, height });
  }, [marked, place, width, height, isEveryTagShown]);
  // A control that has moved since is no longer hovered.
  const hovered = hover === undefined ? undefined : seen.find(({ control }) => control === hover.one.control);

  useLayoutEffect(() => {
    if (canvas.current !== null) drawMarks(canvas.current, { marked, tags, chosen, hovered, place, width, height });
  });

  const pointOf = (event: TargetedPointerEvent<HTMLElement>): Point => {
    const { left, top } = event.currentTarget.getBoundingClientRect();
    return pageToScreen({ x: event.clientX - left, y: event.clientY - top }, place);
  };
  const move = (event: TargetedPointerEvent<HTMLElement>): void => {
    const point = pointOf(event);
    const one = findAt(seen, point);
    onPoint(point);
    if (one?.control !== pressed) setPressed(undefined);
    setHover(one === undefined ? undefined : { one, x: event.clientX, y: event.clientY });
  };
  const press = (event: TargetedKeyboardEvent<HTMLElement>): void => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const direction = directions[event.key];
    const isTaken = direction === undefined ? onKey(event.key) : true;
    if (isTaken) event.preventDefault();
    if (direction === undefined) return;
    const next = chosen === undefined ? marked[0] : findBeside(marked, chosen.bounds, direction);
    if (next !== undefined) onChoose(next);
  };
  const frame = screenBoundsToPage(
    { ...picture.origin, width: picture.width / picture.scale, height: picture.height / picture.scale },
    place,
  );
  return (
    <div
      class="surface"
      role="application"
      aria-label="Picture of the screen with marks. Arrow keys go from control to control, plus and minus zoom, R takes a new picture."
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is operated by keys.
      tabIndex={0}
      style={{ width: `${width}px`, height: `${height}px` }}
      onKeyDown={press}
      onPointerMove={move}
      onPointerLeave={() => {
        setHover(undefined);
        onPoint(undefined);
      }}
      onPointerDown={(event) => {
        const point = pointOf(event);
        const one = findAt(seen, point);
        onPick(point);
        onChoose(one);
        setPressed(one?.control);
      }}
      onClick={() => {
        if (pressed !== undefined) onOpen();
      }}
    >
      {source === undefined ? null : (
        <img
          alt=""
          src={source}
          draggable={false}
          style={{
            left: `${frame.x}px`,
            top: `${frame.y}px`,
            width: `${frame.width}px`,
            height: `${frame.height}px`,
          }}
        />
      )}
      <canvas ref={canvas} style={{ width: `${width}px`, height: `${height}px` }} />
      {picture.monitors.length < 2
        ? null
        : picture.monitors.map((monitor) => (
            <MonitorName key={monitor.name} monitor={monitor} place={place} view={view} />
          ))}
      {hover === undefined || hovered === undefined || hovered.control === pressed ? null : (
        <HoverCard control={hovered.control} bounds={hovered.bounds} x={hover.x} y={hover.y} />
      )}
    </div>
  );
}

function MonitorName(props: { readonly monitor: ShownMonitor; readonly place: PagePlace; readonly view: Bounds }) {
  const { monitor, place, view } = props;
  if (!containsPoint(view, monitor.bounds)) return null;
  const { x, y } = screenBoundsToPage(monitor.bounds, place);
  return (
    <span class="monitor" style={{ left: `${x}px`, top: `${y}px` }}>
      <AppText text={monitor.name} />
    </span>
  );
}

/** An object URL for the file, revoked when the file is no longer shown. */
function usePictureSource({ file }: TakenPicture): string | undefined {
  const [source, setSource] = useState<string | undefined>(undefined);
  useEffect(() => {
    const address = URL.createObjectURL(file);
    setSource(address);
    return () => URL.revokeObjectURL(address);
  }, [file]);
  return source;
}
