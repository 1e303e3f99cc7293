/** Digits of 6 by 9 pixels with strokes of two, so that they are still read when a picture is made smaller once more. */
export const digitSize = { width: 6, height: 9 } as const;

const drawn = `
.####.  ..##..  .####.  .####.  ...##.  ######  ..###.  ######  .####.  .####.
##..##  .###..  ##..##  ##..##  ..###.  ##....  .##...  ....##  ##..##  ##..##
##..##  ####..  ....##  ....##  .####.  ##....  ##....  ....##  ##..##  ##..##
##..##  ..##..  ....##  ....##  ##.##.  #####.  ##....  ...##.  ##..##  ##..##
##..##  ..##..  ...##.  ..###.  ##.##.  ....##  #####.  ...##.  .####.  .#####
##..##  ..##..  ..##..  ....##  ######  ....##  ##..##  ..##..  ##..##  ....##
##..##  ..##..  .##...  ....##  ...##.  ....##  ##..##  ..##..  ##..##  ....##
##..##  ..##..  ##....  ##..##  ...##.  ##..##  ##..##  .##...  ##..##  ...##.
.####.  ######  ######  .####.  ...##.  .####.  .####.  .##...  .####.  .###..
`;

/** Of each digit its rows, of each row its pixels: "#" is ink. */
export const digits: readonly (readonly string[])[] = Array.from({ length: 10 }, (_, digit) => {
  const rows = drawn.trim().split("\n");
  return rows.map((row) => row.split("  ")[digit] ?? "");
});
