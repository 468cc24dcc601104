// What a run is identified by in few letters.

/** Letters of a session, `2026_11_20_10_05_56`: a run is identified by them and by how its path begins. */
export const SESSION = 19;
