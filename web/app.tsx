import { useEffect, useState } from "preact/hooks";
import { Approvals } from "./approvals.tsx";
import { KeysHelp } from "./keys-help.tsx";
import { PickStep } from "./panels/demo-pick.tsx";
import { type Panel, panels } from "./panels.ts";
import { Panic, Stopped } from "./panic.tsx";
import type { LinkState } from "./rpc.ts";
import { announcement, deskTrouble, requestedPanel, rpc } from "./state.ts";
import { useStore } from "./store.ts";
import { Tabs } from "./tabs.tsx";
import { ThemeSwitch } from "./theme.tsx";

/** `wide` fits the screen and the tree side by side; `roomy` also fits the element below the tree. */
const wide = matchMedia("(min-width: 60rem)");
const roomy = matchMedia("(min-width: 60rem) and (min-height: 36rem)");

export function App() {
  const isWide = useMedia(wide);
  const isRoomy = useMedia(roomy);
  const link = useStore(rpc.link);
  // Panel ids, most recently shown first. Each dock shows the most recent of its panels.
  const [order, setOrder] = useState<readonly string[]>(["screen", "tree"]);
  const show = (id: string): void => setOrder((before) => [id, ...before.filter((one) => one !== id)]);
  useEffect(() => {
    const press = (event: KeyboardEvent): void => {
      const panel = event.altKey && !event.ctrlKey && !event.metaKey ? panels[Number(event.key) - 1] : undefined;
      if (panel === undefined) return;
      event.preventDefault();
      show(panel.id);
      requestAnimationFrame(() => document.getElementById(`tab-${panel.id}`)?.focus());
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, []);
  useEffect(
    () =>
      requestedPanel.subscribe((request) => {
        if (request === undefined) return;
        show(request.id);
        // The focused element may be gone with its panel.
        requestAnimationFrame(() => {
          if (document.activeElement === document.body) document.getElementById(`tab-${request.id}`)?.focus();
        });
      }),
    [],
  );
  const groups = groupPanels(isWide, isRoomy);
  return (
    <>
      <header>
        <h1>Deskmap inspector</h1>
        <Link link={link} />
        {link.state === "refused" ? null : <Panic />}
        <ThemeSwitch />
        <KeysHelp />
      </header>
      <Stopped />
      <Approvals />
      <PickStep />
      <main class={isRoomy ? "wide roomy" : isWide ? "wide" : "narrow"}>
        {link.state === "refused" ? (
          <p class="refused" role="alert">
            {link.why}
          </p>
        ) : (
          groups.map((group, at) => (
            <Tabs
              key={group.map(({ id }) => id).join(" ")}
              label={dockNames[at] ?? ""}
              panels={group}
              shown={order.find((id) => group.some((one) => one.id === id)) ?? ""}
              onShow={show}
            />
          ))
        )}
      </main>
      <Announcer />
    </>
  );
}

const dockNames = ["Panels", "Details", "Selected"];

function groupPanels(isWide: boolean, isRoomy: boolean): readonly (readonly Panel[])[] {
  if (!isWide) return [panels];
  const [main, side] = (["main", "side"] as const).map((dock) => panels.filter((one) => one.dock === dock));
  return [main ?? [], ...(isRoomy ? (side ?? []).map((one) => [one]) : [side ?? []])];
}

/** The state of the connection. */
function Link({ link }: { readonly link: LinkState }) {
  const trouble = useStore(deskTrouble);
  const { word, kind } = describeLink(link, trouble);
  return (
    <p class={`link ${kind}`} role="status">
      {word}
    </p>
  );
}

function describeLink(link: LinkState, trouble: string | undefined): { readonly word: string; readonly kind: string } {
  switch (link.state) {
    case "connecting":
      return { word: "Connecting…", kind: "waiting" };
    case "lost":
      return { word: "The inspector does not answer. Trying again…", kind: "broken" };
    case "refused":
      return { word: "Access refused", kind: "broken" };
    case "open":
      if (link.host.state === "connecting") return { word: "Connecting to the daemon…", kind: "waiting" };
      if (link.host.state === "lost")
        return { word: `Daemon lost: ${link.host.reason}. Trying again…`, kind: "broken" };
      if (trouble !== undefined) return { word: `Not up to date: ${trouble}`, kind: "broken" };
      return { word: "Live", kind: "live" };
  }
}

/** Alternates between two live regions: a screen reader does not repeat a text that stays the same in one region. */
function Announcer() {
  const { text, turn } = useStore(announcement);
  return (
    <div class="announcer">
      {[0, 1].map((place) => (
        <p key={place} class="unseen" aria-live="polite">
          {turn % 2 === place ? text : ""}
        </p>
      ))}
    </div>
  );
}

function useMedia(query: MediaQueryList): boolean {
  const [isTrue, setTrue] = useState(query.matches);
  useEffect(() => {
    const update = (): void => setTrue(query.matches);
    query.addEventListener("change", update);
    return () => query.removeEventListener("change", update);
  }, [query]);
  return isTrue;
}
