import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { type Bounds, containsPoint, type Point } from "../../src/model/bounds.ts";
import { toLocal } from "../../src/model/coordinates.ts";
import { AppText } from "../app-text.tsx";
import { countOf } from "../count-of.ts";
import type { DeskControl } from "../desk-model.ts";
import { describeUnknownKeys, parseQuery, type Query } from "../query.ts";
import { findAt, listMarked, listSeen } from "../screen/marks.ts";
import type { TakenPicture } from "../screen/picture-feed.ts";
import { Surface } from "../screen/surface.tsx";
import { picture as pictureStore, pictureTrouble, refreshPicture, usePictures } from "../screen/taken.ts";
import { choosePictureScale, fitInto, stepZoom, type Zoom } from "../screen/zoom.ts";
import { announce, desk, deskVersion, selection, selectMark, showElement } from "../state.ts";
import { useStore } from "../store.ts";
import { NameForm } from "./name-form.tsx";

const hint = "marks only for: words, role:button, app:…";

export function ScreenPanel() {
  const picture = useStore(pictureStore);
  const trouble = useStore(pictureTrouble);
  const version = useStore(deskVersion);
  const [zoom, setZoom] = useState<Zoom>("fit");
  const [monitor, setMonitor] = useState("");
  const [filter, setFilter] = useState("");
  const viewport = useRef<HTMLDivElement>(null);
  const room = useRoom(viewport);
  const view = useMemo(() => (picture === undefined ? undefined : chooseView(picture, monitor)), [picture, monitor]);
  const fitting = view === undefined ? 0.5 : fitInto(view, room);
  const scale = zoom === "fit" ? fitting : zoom;
  usePictures(choosePictureScale(scale * (window.devicePixelRatio || 1)));
  const step = (by: 1 | -1): void => setZoom(stepZoom(scale, by));
  const press = (key: string): boolean => {
    const commands: Readonly<Record<string, () => void>> = {
      "+": () => step(1),
      "=": () => step(1),
      "-": () => step(-1),
      0: () => setZoom("fit"),
      1: () => setZoom(1),
      r: refreshPicture,
      Enter: showElement,
      Escape: () => selection.set(undefined),
    };
    const command = Object.hasOwn(commands, key) ? commands[key] : undefined;
    command?.();
    return command !== undefined;
  };
  return (
    <>
      <div class="bar">
        <input
          type="search"
          aria-label="Draw marks only for"
          placeholder={hint}
          size={hint.length}
          value={filter}
          onInput={({ currentTarget }) => setFilter(currentTarget.value)}
        />
        {picture === undefined || picture.monitors.length < 2 ? null : (
          <select
            aria-label="Monitor"
            value={monitor}
            onChange={({ currentTarget }) => setMonitor(currentTarget.value)}
          >
            <option value="">all monitors</option>
            {picture.monitors.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        )}
        <button type="button" aria-label="Smaller" onClick={() => step(-1)}>
          −
        </button>
        <button type="button" aria-pressed={zoom === "fit"} onClick={() => setZoom("fit")}>
          Fit
        </button>
        <button
          type="button"
          aria-pressed={zoom === 1}
          title="Actual size: every control shows its mark"
          onClick={() => setZoom(1)}
        >
          100 %
        </button>
        <button type="button" aria-label="Larger" onClick={() => step(1)}>
          +
        </button>
        <button type="button" onClick={refreshPicture}>
          Refresh
        </button>
        <span class="quiet">{Math.round(scale * 100)} %</span>
      </div>
      {trouble === undefined ? null : (
        <p class="trouble" role="status">
          No new picture: {trouble}
        </p>
      )}
      <div class="stage" ref={viewport}>
        {picture === undefined || view === undefined ? (
          <p class="hint">{version === 0 ? "Reading windows… " : ""}The first picture is being taken…</p>
        ) : (
          <MarkedPicture picture={picture} view={view} scale={scale} filter={filter} onKey={press} />
        )}
      </div>
    </>
  );
}

interface MarkedPictureProps {
  readonly picture: TakenPicture;
  readonly view: Bounds;
  readonly scale: number;
  readonly filter: string;
  onKey(key: string): boolean;
}

function MarkedPicture({ picture, view, scale, filter, onKey }: MarkedPictureProps) {
  const version = useStore(deskVersion);
  const selected = useStore(selection);
  const [point, setPoint] = useState<Point | undefined>(undefined);
  const [picked, setPicked] = useState<Point | undefined>(undefined);
  // `desk` is mutable: its version says whether it has changed.
  const seen = useMemo(() => listSeen(desk, picture), [picture, version]);
  const query = useMemo(() => parseQuery(filter), [filter]);
  const marked = useMemo(() => listMarked(seen, desk, query, view), [seen, query, view]);
  const all = useMemo(
    () => (query.isEmpty ? marked.length : listMarked(seen, desk, anything, view).length),
    [seen, query, marked, view],
  );
  const chosenMark = selected?.kind === "control" ? selected.mark : undefined;
  const chosen = seen.find(({ control }) => control.mark === chosenMark);
  return (
    <>
      <Surface
        picture={picture}
        view={view}
        scale={scale}
        seen={seen}
        marked={marked}
        chosen={chosen}
        onChoose={(one) => {
          if (one === undefined) return selection.set(undefined);
          selectMark(one.control.mark);
          announce(describe(one.control));
        }}
        isEveryTagShown={scale >= 1 || !query.isEmpty}
        onOpen={showElement}
        onPoint={setPoint}
        onPick={setPicked}
        onKey={onKey}
      />
      <p class="readout">
        <span>{describeCount(marked.length, all, query)}</span>
        {picture.covered.length === 0 ? null : <span>{picture.covered.length} covered</span>}
        <span class="point">{point === undefined ? "" : describePoint(point, picture)}</span>
        {picked === undefined ? null : (
          <span class="picked">
            Picked {describePoint(picked, picture)}{" "}
            <button type="button" onClick={() => void navigator.clipboard.writeText(`${picked.x} ${picked.y}`)}>
              Copy
            </button>
          </span>
        )}
        {chosen === undefined ? null : (
          <span>
            <AppText text={describe(chosen.control)} />
          </span>
        )}
      </p>
      {picked === undefined || findAt(seen, picked) !== undefined ? null : (
        <details class="bare">
          <summary>Nothing is known about this place: teach its name</summary>
          <NameForm
            key={`${picked.x} ${picked.y}`}
            of={picked}
            taught=""
            label="What it is called"
            verb="Teach"
            onTaught={(taught) => {
              selectMark(taught.mark);
              showElement();
            }}
          />
        </details>
      )}
    </>
  );
}

const anything = parseQuery("");

/** Before the first batch of lines the number of marks is unknown. */
function describeCount(count: number, all: number, { isEmpty, unknownKeys }: Query): string {
  if (desk.version === 0) return "Reading windows…";
  if (unknownKeys.length > 0 && count === 0) return describeUnknownKeys(unknownKeys);
  return isEmpty ? countOf(count, "mark") : `${count} of ${countOf(Math.max(all, count), "mark")}`;
}

function describe({ role, name, mark, states }: DeskControl): string {
  return [`${role} ${name}`.trim(), `mark ${mark}`, ...states].join(", ");
}

/** In physical screen pixels; with several monitors, also relative to the monitor. */
function describePoint(point: Point, { monitors }: TakenPicture): string {
  if (monitors.length < 2) return `${point.x}, ${point.y}`;
  const monitor = monitors.find(({ bounds }) => containsPoint(bounds, point));
  const local = monitor === undefined ? undefined : toLocal(point, monitor.bounds);
  const there = local === undefined || monitor === undefined ? "" : ` · ${monitor.name} ${local.x}, ${local.y}`;
  return `${point.x}, ${point.y}${there}`;
}

function chooseView({ monitors, origin, width, height, scale }: TakenPicture, name: string): Bounds {
  const monitor = monitors.find((one) => one.name === name);
  return monitor?.bounds ?? { ...origin, width: Math.round(width / scale), height: Math.round(height / scale) };
}

interface Room {
  readonly width: number;
  readonly height: number;
}

/** The space for the picture, without the line of text below it. */
function useRoom(viewport: { readonly current: HTMLDivElement | null }): Room {
  const [room, setRoom] = useState<Room>({ width: 800, height: 500 });
  useLayoutEffect(() => {
    const { current } = viewport;
    if (current === null) return;
    const measure = (): void => {
      setRoom({ width: current.clientWidth, height: Math.max(100, current.clientHeight - readoutHeight) });
    };
    const watcher = new ResizeObserver(measure);
    watcher.observe(current);
    measure();
    return () => watcher.disconnect();
  }, [viewport]);
  return room;
}

const readoutHeight = 64;
