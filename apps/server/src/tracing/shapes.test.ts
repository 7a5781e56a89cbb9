import { expect, test } from 'vitest'
import { Shapes } from './shapes.ts'
import { INTERNAL } from './span.ts'

function open() {
  let made = 0
  const shapes = new Shapes(([name, isFailed]: readonly [string, boolean]) => {
    made++
    return { name, kind: INTERNAL, isFailed, attributes: [], slots: [] }
  })
  return { shapes, made: () => made }
}

test('spans with the same distinctions have the same shape', () => {
  const { shapes, made } = open()
  const first = shapes.of(['hold', false])
  expect(first).toMatchObject({ name: 'hold', isFailed: false })
  expect(shapes.of(['hold', true])).toMatchObject({ name: 'hold', isFailed: true })
  expect(shapes.of(['hold', false])).toBe(first)
  expect(made()).toBe(2)
})

test('callers who choose ever new names do not fill the memory', () => {
  const { shapes, made } = open()
  const first = shapes.of(['first', false])
  for (let count = 0; count < 1_000; count++) shapes.of([`name ${count}`, false])
  expect(shapes.of(['first', false])).not.toBe(first)
  expect(made()).toBe(1_002)
})
