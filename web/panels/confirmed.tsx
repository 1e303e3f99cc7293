import { useEffect, useRef, useState } from "preact/hooks";

interface ConfirmedProps {
  readonly label: string;
  readonly question: string;
  readonly verb?: string;
  readonly keep?: string;
  onConfirm(): void;
}

/** A button that asks for confirmation; the safe answer has the focus. */
export function Confirmed({ label, question, verb = "Forget", keep: safe = "Keep", onConfirm }: ConfirmedProps) {
  const [isAsking, setAsking] = useState(false);
  const keep = useRef<HTMLButtonElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsking) keep.current?.focus();
  }, [isAsking]);
  const close = (): void => {
    setAsking(false);
    requestAnimationFrame(() => opener.current?.focus());
  };
  if (!isAsking) {
    return (
      <button type="button" class="danger" ref={opener} onClick={() => setAsking(true)}>
        {label}
      </button>
    );
  }
  return (
    <div
      class="confirm"
      role="alertdialog"
      aria-label={label}
      aria-description={question}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
    >
      <p>{question}</p>
      <button type="button" ref={keep} onClick={close}>
        {safe}
      </button>
      <button
        type="button"
        class="danger"
        onClick={() => {
          close();
          onConfirm();
        }}
      >
        {verb}
      </button>
    </div>
  );
}
