import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { FlameNode } from './aggregate.ts'
import { cpuScale, type ProfileReport } from './report.ts'

interface DrawnNode {
  readonly name: string
  readonly place: string
  /** Microseconds of processor time a call. */
  readonly us: number
  readonly children: readonly DrawnNode[]
}

/** Frames below this share of everything cannot be seen. */
const SHARE_MIN = 0.0005

/** One HTML page with everything in it. */
export function flamePage(title: string, { calls, threads }: ProfileReport): string {
  const children = threads
    .map(({ name, cpuMicros, times }) => {
      const scale = cpuScale({ cpuMicros, times }) / calls
      return { ...drawn(times.tree, scale), name: `thread ${name}` }
    })
    .toSorted(wider)
  const us = children.reduce((sum, child) => sum + child.us, 0)
  const tree = {
    name: 'a call',
    place: '',
    us,
    children: children.map((child) => pruned(child, us * SHARE_MIN)),
  }
  // "<" is escaped so that no name can end the script element.
  const data = JSON.stringify({ title, tree }).replaceAll('<', String.raw`\u003c`)
  const page = readFileSync(join(import.meta.dirname, 'flame-page.html'), 'utf8')
  return page.replace('{{data}}', () => data)
}

function drawn(node: FlameNode, scale: number): DrawnNode {
  const children = [...node.children.values()].map((child) => drawn(child, scale)).toSorted(wider)
  return { name: node.name, place: node.place, us: node.micros * scale, children }
}

function pruned(node: DrawnNode, usMin: number): DrawnNode {
  const children = node.children.filter(({ us }) => us >= usMin).map((child) => pruned(child, usMin))
  return { ...node, children }
}

function wider(left: DrawnNode, right: DrawnNode): number {
  return right.us - left.us
}
