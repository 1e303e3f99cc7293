import type { TargetedKeyboardEvent, TargetedPointerEvent } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { ShownMonitor } from "../../src/inspector/screen.ts";
import { type Bounds, containsPoint, type Point } from "../../src/model/bounds.ts";
import { type PagePlace, pageToScreen, screenBoundsToPage } from "../../src/model/coordinates.ts";
import type { DeskControl } from "../desk-model.ts";
import { Said } from "../said.tsx";
import { drawMarks, layTags } from "./draw.ts";
import { keepFree } from "./free-tags.ts";
import { HoverCard } from "./hover-card.tsx";
import { findAt, findBeside, type SeenControl } from "./marks.ts";
import type { TakenPicture } from "./picture-feed.ts";

interface SurfaceProps {
  readonly picture: TakenPicture;
  /** The part of the screen that is shown. */
  readonly view: Bounds;
  /** Pixels of the page for one of the screen. */
  readonly scale: number;
  readonly seen: readonly SeenControl[];
  readonly marked: readonly SeenControl[];
  readonly chosen: SeenControl | undefined;
  /** Whether each has its number, also where that hides something. */
  readonly isEveryTagShown: boolean;
  onChoose(one: SeenControl | undefined): void;
  /** It was pointed at, not only passed. */
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
  // Its card would lie over what was pressed; the panel beside it says more.
  const [pressed, setPressed] = useState<DeskControl | undefined>(undefined);
  const source = usePictureSource(picture);
  const place = useMemo((): PagePlace => ({ origin: view, scaleFactor: 1 / scale }), [view, scale]);
  const [width, height] = [view.width * scale, view.height * scale];
  const tags = useMemo(() => {
    const all = layTags(marked, place, { width, height });
    return isEveryTagShown ? all : keepFree(all);
  }, [marked, place, width, height, isEveryTagShown]);
  // One that has moved since is not hovered any more.
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
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is worked with by keys.
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
      <Said text={monitor.name} />
    </span>
  );
}

/** An address for the file, for as long as it is shown. */
function usePictureSource({ file }: TakenPicture): string | undefined {
  const [source, setSource] = useState<string | undefined>(undefined);
  useEffect(() => {
    const address = URL.createObjectURL(file);
    setSource(address);
    return () => URL.revokeObjectURL(address);
  }, [file]);
  return source;
}
