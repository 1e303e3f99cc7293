import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Env } from "../../model/env.ts";

/** Data directories of Tesseract 5 and 4 on Debian and other distributions. */
const usualFolders = [
  "/usr/share/tesseract-ocr/5/tessdata",
  "/usr/share/tesseract-ocr/4.00/tessdata",
  "/usr/share/tessdata",
];
const english = "eng";

/** Tesseract's language codes by locale (ISO 639-1 and 639-2/T). */
const codes: ReadonlyMap<string, string> = new Map(
  `af:afr ar:ara az:aze be:bel bg:bul bn:ben bs:bos ca:cat cs:ces cy:cym da:dan de:deu el:ell en:eng eo:epo es:spa et:est
  eu:eus fa:fas fi:fin fr:fra ga:gle gl:glg he:heb hi:hin hr:hrv hu:hun hy:hye id:ind is:isl it:ita ja:jpn ka:kat kk:kaz
  km:khm kn:kan ko:kor lt:lit lv:lav mk:mkd ml:mal mr:mar ms:msa nb:nor nl:nld nn:nor no:nor pa:pan pl:pol pt:por ro:ron
  ru:rus sk:slk sl:slv sq:sqi sr:srp sv:swe sw:swa ta:tam te:tel th:tha tr:tur uk:ukr ur:urd uz:uzb vi:vie
  zh_CN:chi_sim zh_SG:chi_sim zh_TW:chi_tra zh_HK:chi_tra zh:chi_sim`
    .split(/\s+/)
    .map((pair): [string, string] => {
      const [locale = "", code = ""] = pair.split(":");
      return [locale, code];
    }),
);

/**
 * The languages for Tesseract ("deu+eng"): the installed ones of the user's locale, plus English for untranslated
 * programs. Undefined for English alone: that is Tesseract's default, and a second language takes longer.
 */
export function chooseLanguages(env: Env): string | undefined {
  const wanted = listLocales(env)
    .map((locale) => codes.get(locale) ?? codes.get(locale.split("_")[0] ?? ""))
    .filter((code) => code !== undefined);
  const installed = wanted.every((code) => code === english) ? new Set<string>() : listInstalled(env);
  const chosen = [...new Set([...wanted, english])].filter((code) => installed.has(code));
  return chosen.length === 0 || chosen.join() === english ? undefined : chosen.join("+");
}

/** "de_AT", "de": the message locales in order of preference. */
function listLocales({ LANGUAGE = "", LC_ALL, LC_MESSAGES, LANG }: Env): string[] {
  const locale = LC_ALL || LC_MESSAGES || LANG || "";
  if (/^(C|POSIX)?(\.|$)/.test(locale)) return [];
  return [...LANGUAGE.split(":"), locale].map((one) => one.replace(/[.@].*$/, "")).filter((one) => one !== "");
}

function listInstalled({ TESSDATA_PREFIX }: Env): ReadonlySet<string> {
  const folder = [TESSDATA_PREFIX ?? "", ...(TESSDATA_PREFIX ? [] : usualFolders)].find(
    (one) => one !== "" && existsSync(join(one, `${english}.traineddata`)),
  );
  const files = folder === undefined ? [] : readdirSync(folder);
  return new Set(
    files.filter((name) => name.endsWith(".traineddata")).map((name) => name.replace(/\.traineddata$/, "")),
  );
}
