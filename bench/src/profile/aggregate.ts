import type { CallFrame, CpuProfile, ProfileNode } from './cpu-profile.ts'
import { IDLE, placeOf, type Placed, type Station } from './stations.ts'

export interface ThreadTimes {
  readonly idleMicros: number
  /** Everything that is not idle, also waits for a disk inside a function and for a processor. */
  readonly busyMicros: number
  readonly stations: ReadonlyMap<Station, number>
  readonly functions: readonly FunctionTime[]
  readonly tree: FlameNode
}

export interface FunctionTime {
  readonly name: string
  /** File and line, or "" for functions of the engine. */
  readonly place: string
  readonly station: Station
  readonly selfMicros: number
}

/** Below the root are the stations; below each of them its frames, from the one that was entered. */
export interface FlameNode {
  readonly name: string
  readonly place: string
  micros: number
  readonly children: Map<string, FlameNode>
}

interface Step {
  readonly frame: CallFrame
  readonly placed: Placed | undefined
  readonly caller: Step | undefined
}

const NOWHERE = 'other'

/** Sums the samples of one thread by station and by function. */
export function aggregate(profile: CpuProfile): ThreadTimes {
  const steps = stepsOf(profile.nodes)
  const stations = new Map<Station, number>()
  const functions = new Map<string, { -readonly [Key in keyof FunctionTime]: FunctionTime[Key] }>()
  const tree = newNode('', '')
  let idleMicros = 0
  for (const [id, micros] of selfTimes(profile)) {
    const step = steps.get(id)
    if (!step) continue
    const station = step.placed?.station ?? NOWHERE
    if (station === IDLE) {
      idleMicros += micros
      continue
    }
    tree.micros += micros
    stations.set(station, (stations.get(station) ?? 0) + micros)
    addToTree(tree, [{ name: station, place: '' }, ...framesInStation(step)], micros)
    const { name, place } = functionTitle(step)
    const key = `${name} ${place} ${station}`
    const known = functions.get(key)
    if (known) known.selfMicros += micros
    else functions.set(key, { name, place, station, selfMicros: micros })
  }
  const sorted = [...functions.values()].toSorted((left, right) => right.selfMicros - left.selfMicros)
  return { idleMicros, busyMicros: tree.micros, stations, functions: sorted, tree }
}

/** Time by node: that between a sample and the next one belongs to the function on top of the first. */
function selfTimes({ samples, timeDeltas }: CpuProfile): ReadonlyMap<number, number> {
  const times = new Map<number, number>()
  samples.forEach((id, index) => times.set(id, (times.get(id) ?? 0) + (timeDeltas[index + 1] ?? 0)))
  return times
}

function stepsOf(nodes: readonly ProfileNode[]): ReadonlyMap<number, Step> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const steps = new Map<number, Step>()
  const callees = new Set(nodes.flatMap(({ children }) => children ?? []))
  const open = nodes
    .filter(({ id }) => !callees.has(id))
    .map((node) => ({ node, caller: undefined as Step | undefined }))
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, caller } = next
    const step = { frame: node.callFrame, placed: placeOf(node.callFrame, caller?.placed), caller }
    steps.set(node.id, step)
    for (const id of node.children ?? []) {
      const child = byId.get(id)
      if (child) open.push({ node: child, caller: step })
    }
  }
  return steps
}

/** The frames from where the step's station was entered last, without the root. */
function framesInStation(step: Step): Title[] {
  const frames: Title[] = []
  for (let at: Step | undefined = step; at?.placed; at = at.caller) {
    if (at.placed.station !== step.placed?.station) break
    frames.unshift(titleOf(at.frame))
  }
  return frames
}

/** Functions of the engine have no place of their own, so they are told apart by their caller. */
function functionTitle({ frame, caller }: Step): Title {
  const title = titleOf(frame)
  if (title.place !== '' || !caller?.placed) return title
  const from = titleOf(caller.frame)
  return { name: `${title.name} in ${from.name}`, place: from.place }
}

interface Title {
  readonly name: string
  readonly place: string
}

function titleOf({ functionName, url, lineNumber }: CallFrame): Title {
  const name = functionName || '(anonymous)'
  if (url === '') return { name, place: '' }
  const path = url.replace(/^file:\/\//, '').replace(/^.*\/(?=(?:apps|packages|bench|node_modules)\/)/, '')
  return { name, place: `${path}:${lineNumber + 1}` }
}

function addToTree(tree: FlameNode, titles: readonly Title[], micros: number): void {
  let at = tree
  for (const { name, place } of titles) {
    const key = `${name} ${place}`
    const child = at.children.get(key) ?? newNode(name, place)
    at.children.set(key, child)
    child.micros += micros
    at = child
  }
}

function newNode(name: string, place: string): FlameNode {
  return { name, place, micros: 0, children: new Map() }
}
