import { type Failure, makeFailure } from "./failure.ts";
import { removeMasks } from "./secrets-in-text.ts";

/**
 * Which fields hold text that must never be read. The platform reports fields that show dots; fields that a person
 * would call a password although they show their text (an "eye" button, a plain web field) are recognised here. Secrets
 * recognisable anywhere are in secrets-in-text.ts.
 */
const secretWords =
  /\b(pass ?word|passwort|kennwort|mot de passe|contrase[nñ]a|senha|parola|wachtwoord|has[lł]o|пароль|密码|密碼|パスワード|비밀번호|pass ?phrase|pass ?code|secret|pin|puk|cvv|cvc|csc|cvn|one[- ]time code|otp|totp|(sms|m|push) ?tan|(security|verification|authentication|authenticator|2 ?fa) code|private key|token|(api|auth|access|bearer|secret)[- ]?(key|token)|recovery (code|key|phrase)|seed phrase|(card|cc) ?(number|no|num)|kartennummer|num[eé]ro de (la )?carte|n[uú]mero de (la )?tarjeta)\b/iu;
/** Words that also occur inside others, and scripts without \b word boundaries. */
const secretParts = /пароль|密码|密碼|パスワード|비밀번호|卡号|カード番号|passw(or)?d|passwort|kennwort|\bpwd/iu;

export function isSecretLabel(...labels: readonly string[]): boolean {
  return labels.some((label) => {
    if (label === "") return false;
    // A replacement in a label says nothing about the field.
    const words = removeMasks(label)
      .replace(/([a-z])([A-Z])/g, "$1 $2")
      .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
      .replace(/([a-z])(\d)/gi, "$1 $2")
      .replace(/[_-]+/g, " ");
    return secretWords.test(words) || secretParts.test(words);
  });
}

/** HTML autocomplete values for secret fields. */
const secretPurposes = new Set(["new-password", "current-password", "one-time-code", "cc-number", "cc-csc"]);

/** By a field's `autocomplete`, which may have several words: "section-blue shipping cc-number". */
export function isSecretPurpose(autocomplete: string): boolean {
  return autocomplete !== "" && autocomplete.split(/\s+/).some((word) => secretPurposes.has(word.toLowerCase()));
}

/** Where a secret is to be filled in. */
export interface SecretPlace {
  /** The origin of the innermost page around the field; undefined if it is in none, or in a frame of unknown address. */
  readonly origin: string | undefined;
  readonly isOriginUnknown?: boolean | undefined;
  readonly windowId: number | undefined;
}

export function describeSecret(): Failure {
  return makeFailure("REFUSED", "this field is secret: its text is never read", "a person can read it on the screen.", {
    reason: "secret",
  });
}
