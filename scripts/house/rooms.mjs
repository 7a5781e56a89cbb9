// How the folders of a package import each other. `room-orders.mjs` says what a room is.
import { dirname, join } from 'node:path/posix'
import { ROOM_ORDERS } from './room-orders.mjs'

export const LAYERED = Object.keys(ROOM_ORDERS)

/** @typedef {{ from: string, to: string }} Arrow two paths below the base */

/**
 * The imports within `base`, file by file.
 * @param {import('./read-facts.mjs').FileFacts[]} facts
 * @returns {Arrow[]}
 */
export function findArrows(facts, base) {
  const prefix = `${base}/`
  return facts
    .filter(({ path }) => path.startsWith(prefix))
    .flatMap(({ path, imports }) =>
      imports
        .filter((request) => request.startsWith('.'))
        .map((request) => join(dirname(path), request))
        .filter((target) => target.startsWith(prefix))
        .map((target) => ({ from: path.slice(prefix.length), to: target.slice(prefix.length) })),
    )
}

/**
 * Folders that import each other both ways. The stations count one by one, and the loose files as one folder.
 * @param {Arrow[]} arrows
 * @returns {string[]} for example `admit <-> record`
 */
export function findMutualPairs(arrows) {
  const edges = collectEdges(arrows, (path) => {
    const folders = path.split('/').slice(0, -1)
    return folders[0] === 'stations' ? (folders[1] ?? 'stations') : (folders[0] ?? '.')
  })
  return [...edges]
    .filter(([edge, { from, to }]) => from < to && edges.has(reverse(edge)))
    .map(([, { from, to }]) => `${from} <-> ${to}`)
    .toSorted()
}

const reverse = (edge) => edge.split(' -> ').toReversed().join(' -> ')

/**
 * Arrows between rooms that point up, against the order of `base`.
 * @param {Arrow[]} arrows
 * @returns {string[]} for example `lessons -> app.ts`
 */
export function findArrowsUp(arrows, base, orders = ROOM_ORDERS) {
  const edges = [...collectEdges(arrows, (path) => path.split('/')[0]).values()]
  const rooms = new Set(edges.flatMap(({ from, to }) => [from, to]))
  const order = orders[base].filter((room) => rooms.has(room))
  for (const room of [...rooms].filter((name) => !order.includes(name)).toSorted())
    insertRoom(room, order, edges)
  const floors = new Map(order.map((room, index) => [room, index]))
  return edges
    .filter(({ from, to }) => floors.get(from) > floors.get(to))
    .map(({ from, to }) => `${from} -> ${to}`)
    .toSorted()
}

/** Puts `room` in the place of `order` where the fewest of its arrows point up, as low as possible. */
function insertRoom(room, order, edges) {
  const importers = new Set(edges.filter(({ to }) => to === room).map(({ from }) => from))
  const imported = new Set(edges.filter(({ from }) => from === room).map(({ to }) => to))
  const countUp = (index) =>
    order.filter((other, at) => (at < index ? imported.has(other) : importers.has(other))).length
  let best = order.length
  for (let index = order.length - 1; index >= 0; index -= 1) if (countUp(index) < countUp(best)) best = index
  order.splice(best, 0, room)
}

/** @returns {Map<string, Arrow>} the arrows between rooms, each once */
function collectEdges(arrows, findRoom) {
  const edges = new Map()
  for (const arrow of arrows) {
    const from = findRoom(arrow.from)
    const to = findRoom(arrow.to)
    if (from !== to) edges.set(`${from} -> ${to}`, { from, to })
  }
  return edges
}

/**
 * How often the files of one station import those of another.
 * @param {Arrow[]} arrows those of the relay
 * @returns {Map<string, string[]>} for example `admit -> record` with the importing files
 */
export function findStationImports(arrows) {
  const pairs = new Map()
  for (const { from, to } of arrows) {
    const [station, other] = [from, to].map((path) => /^stations\/([^/]+)\//.exec(path)?.[1])
    if (!station || !other || station === other) continue
    const pair = `${station}->${other}`
    pairs.set(pair, [...(pairs.get(pair) ?? []), from])
  }
  return pairs
}
