import { expect, test } from 'vitest'
import { LabelTree } from './label-tree.ts'

const open = () => ({ count: 0 })

test('calls with the same labels are counted together, and others apart', () => {
  const tree = new LabelTree({ width: 2, max: 10, open })
  tree.of(['chat', 1]).count++
  tree.of(['chat', 2]).count++
  tree.of(['chat', 1]).count++
  expect([...tree.entries()]).toEqual([
    [['chat', 1], { count: 2 }],
    [['chat', 2], { count: 1 }],
  ])
})

test('combinations above the limit share one series, and known ones keep their own', () => {
  const tree = new LabelTree({ width: 1, max: 3, open })
  for (const label of ['a', 'b', 'c', 'd', 'a', 'e']) tree.of([label]).count++
  expect([...tree.entries()]).toEqual([
    [['a'], { count: 2 }],
    [['b'], { count: 1 }],
    [['other'], { count: 3 }],
  ])
})
