import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { Places } from './places.ts'

const [first, second, third] = [{ name: 'first' }, { name: 'second' }, { name: 'third' }] as const

test('a place that is free is given again, and values stay at theirs', () => {
  const places = new Places<{ readonly name: string }>()
  const taken = [places.add(first), places.add(second)] as const
  places.remove(taken[0])
  expect(places.size).toBe(1)
  expect(places.get(taken[0])).toBeUndefined()
  expect(places.get(taken[1])).toBe(second)
  expect(places.add(third)).toBe(taken[0])
  expect([...places]).toEqual([third, second])
})

test('a place is freed once, however often its value is removed', () => {
  const places = new Places()
  const place = places.add(first)
  places.remove(place)
  places.remove(place)
  expect(places.size).toBe(0)
  expect(places.add(second)).not.toBe(places.add(third))
})

test('values may be removed while all are visited', () => {
  const places = new Places<{ readonly name: string }>()
  const taken = [first, second, third].map((value) => places.add(value))
  const visited: string[] = []
  for (const { name } of places) {
    visited.push(name)
    for (const place of taken) places.remove(place)
  }
  expect(visited).toEqual(['first'])
})

test('what was removed is gone after a young collection, also when a full one went before', () => {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  if (typeof collect !== 'function') throw new Error('the collector cannot be called')
  const places = new Places()
  const taken: number[] = []
  const comeAndGo = (count: number) => {
    for (let done = 0; done < count; done++) {
      taken.push(places.add(Array.from({ length: 1_000 })))
      if (taken.length > 32) places.remove(taken.shift() ?? 0)
    }
  }
  comeAndGo(100)
  collect()
  const before = getHeapStatistics().used_heap_size
  for (let round = 0; round < 20; round++) {
    comeAndGo(100)
    collect({ type: 'minor' })
  }
  // 16 MB came and went.
  expect(getHeapStatistics().used_heap_size - before).toBeLessThan(4_000_000)
})
