// Items that court figures hold at the right, such as a sword, and the hand that holds them.

const STAFF = "wood M70.1 20H71.9V70H70.1Z";

/** Shapes of each item, from back to front, in the format of the figures. */
const SHAPES = {
  sword: [
    "steel M69.2 51V18L71 12.5L72.8 18V51Z",
    "~ink M71 19V50",
    "gold M65 50H77V52.6H65Z",
    "gold M70 52.6H72V69H70Z",
  ],
  axe: [
    STAFF,
    "steel M71.9 21C75 21 77.5 18.5 79 15.5V37C77.5 34 75 31.5 71.9 31.5Z",
    "steel M70.1 24L65.5 26.2L70.1 28.5Z",
  ],
  orb: [
    "trim M64.2 49.5a6.8 6.8 0 1 1 13.6 0a6.8 6.8 0 1 1-13.6 0Z",
    "gold M64.3 48.2Q71 50.8 77.7 48.2V50.8Q71 53.4 64.3 50.8Z",
    "gold M70 43V39.8H67.3V37.6H70V34.6H72V37.6H74.7V39.8H72V43Z",
  ],
  sceptre: [
    "gold M70 24H72V70H70Z",
    "gold M71 11.5C73.3 15 73.7 17 72.7 19.5C75.5 17.5 78 19 77 22.3H65C64 19 66.5 17.5 69.3 19.5C68.3 17 68.7 15 71 11.5Z",
    "robe M67 22.3H75V25H67Z",
  ],
  rose: [
    "leaf M70.3 46H71.7V70H70.3Z",
    "leaf M71 56C75.5 55.5 77.5 53 78.5 49C74 49.5 71.5 52 71 56Z",
    "bloom M64.8 40.5C63 35.5 67.5 32 71 34.3C74.5 32 79 35.5 77.2 40.5C78.5 45 74.5 48 71 47.3C67.5 48 63.5 45 64.8 40.5Z",
    "~ink M67.5 41C67.5 37.5 73.5 36.5 74.3 40C75 43.5 70 44.5 70 41.3",
  ],
  tulip: [
    "leaf M70.3 46H71.7V70H70.3Z",
    "leaf M71 57C67 54 65 51 65 46C69.5 49 71 52 71 57Z",
    "bloom M64.8 33L68.2 37L71 31.5L73.8 37L77.2 33C79 42 76 47.5 71 47.5S63 42 64.8 33Z",
    "~ink M68.2 37Q67.5 42 71 47Q74.5 42 73.8 37",
  ],
  daisy: [
    "leaf M70.3 46H71.7V70H70.3Z",
    "leaf M71 56C75.5 55.5 77.5 53 78.5 49C74 49.5 71.5 52 71 56Z",
    "white M71 40.5C67 36 68.5 32.5 71 32.5S75 36 71 40.5C75 36.5 79 38 78.5 40.5S75 44 71 40.5C75.5 44 74 48.3 71 48.3S66.5 44 71 40.5C67 44 63.5 43 63.5 40.5S66.5 36.5 71 40.5Z",
    "gold M68.7 40.5a2.3 2.3 0 1 1 4.6 0a2.3 2.3 0 1 1-4.6 0Z",
  ],
  halberd: [
    STAFF,
    "steel M71 11L73.2 20.5H68.8Z",
    "steel M71.9 21.5H73.5C75 19.5 76.6 18.3 78.3 18V34C76.6 33.7 75 32.5 73.5 30.5H71.9Z",
    "steel M70.1 22.5L65.5 26L70.1 29.5Z",
  ],
  branch: [
    "leaf M70.3 28H71.7V70H70.3Z",
    "leaf M71 32C67.5 28 68 23 71 18.5C74 23 74.5 28 71 32Z",
    "leaf M71 41C66.5 40 64.5 36 64.5 32C69 33 71 36 71 41ZM71 41C75.5 40 77.5 36 77.5 32C73 33 71 36 71 41Z",
    "leaf M71 51C66.5 50 64.5 46 64.5 42C69 43 71 46 71 51ZM71 51C75.5 50 77.5 46 77.5 42C73 43 71 46 71 51Z",
  ],
  arrow: [
    STAFF,
    "steel M71 11L75.5 21.5L71 19.5L66.5 21.5Z",
    "white M70.1 36L66.5 40V49L70.1 46ZM71.9 36L75.5 40V49L71.9 46Z",
  ],
};

const HELD_ITEMS = {
  Kc: "orb",
  Kd: "axe",
  Kh: "sword",
  Ks: "sword",
  Qc: "daisy",
  Qd: "tulip",
  Qh: "rose",
  Qs: "sceptre",
  Jc: "arrow",
  Jd: "sword",
  Jh: "branch",
  Js: "halberd",
  K: "sceptre",
  Q: "rose",
  J: "arrow",
};

const HAND = [
  "robe M61 72.2C61.5 66.5 63.5 64 66 63.5H76.5C79.5 66 79 69 79 75.8Z",
  "white M65.5 61H76.5L77.5 65.5H64.5Z",
  "skin M67 57.5Q67.5 54.8 70 54.8H72.5Q75 55.2 75 58V61H67Z",
  "~ink M70.5 57.2H75M70.5 59.2H75",
];

/** Shapes of the item that a court card such as `Kh` holds, and of the hand. */
export function heldItem(card) {
  return [...SHAPES[HELD_ITEMS[card]], ...HAND];
}
