import type { Load } from './load-shape.ts'
import { nodeLoad } from './node-load.ts'
import { hasWrk, wrkLoad } from './wrk.ts'

export type LoadTool = 'wrk' | 'node'

export const loads: Readonly<Record<LoadTool, Load>> = { wrk: wrkLoad, node: nodeLoad }

/** The load tool to use: wrk if it is installed, otherwise our own. */
export function installedLoad(): LoadTool {
  return hasWrk() ? 'wrk' : 'node'
}
