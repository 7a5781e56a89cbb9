import type { Load } from './load-shape.ts'
import { nodeLoad } from './node-load.ts'
import { hasWrk, wrkLoad } from './wrk.ts'

export type LoadTool = 'wrk' | 'node'

export const loads: Readonly<Record<LoadTool, Load>> = { wrk: wrkLoad, node: nodeLoad }

/** The load tool of this machine: wrk when it is installed, otherwise ours. */
export function installedLoad(): LoadTool {
  return hasWrk() ? 'wrk' : 'node'
}
