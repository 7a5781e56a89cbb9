import { expect, test } from 'vitest'
import { openRefresher } from './refresher.ts'

function gated() {
  const gates: (() => void)[] = []
  let runs = 0
  const load = () => {
    runs++
    return new Promise<void>((resolve) => {
      gates.push(resolve)
    })
  }
  return { load, open: () => gates.shift()?.(), runs: () => runs }
}

test('calls made during a run share the next run', async () => {
  const gate = gated()
  const refresh = openRefresher(gate.load)
  const first = refresh()
  const others = [refresh(), refresh(), refresh()]
  expect(gate.runs()).toBe(1)
  gate.open()
  await first
  await Promise.resolve()
  expect(gate.runs()).toBe(2)
  gate.open()
  await Promise.all(others)
  expect(gate.runs()).toBe(2)
})

test('a failed run rejects only the calls that waited for that run', async () => {
  let runs = 0
  const refresh = openRefresher(async () => {
    runs++
    await Promise.resolve()
    if (runs === 1) throw new Error('the store is away')
  })
  const first = refresh()
  const second = refresh()
  await expect(first).rejects.toThrow('the store is away')
  await expect(second).resolves.toBeUndefined()
})
