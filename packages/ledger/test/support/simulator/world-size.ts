export const NODES = 3

export const COMMANDS = 60

/** A simulation with more steps than this is considered stuck. */
export const STEPS_MAX = 40_000

/**
 * Number of turns without any reply before the simulation counts as settled; each takes a third of a second.
 */
export const CALM_TURNS = 6

/** Longer than the heartbeat timeout of a node. */
export const SILENCE_MS = 31_000

export const PEOPLE = 3

export interface Tally {
  commands: number
  judged: number
  recovered: number
  allotted: number
  folded: number
  reclaimed: number
  cuts: number
  unknownCommits: number
  crashes: number
  pauses: number
  restarts: number
  busy: number
  retried: number
  confirmed: number
}
