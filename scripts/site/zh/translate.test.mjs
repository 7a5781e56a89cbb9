import { expect, it } from 'vitest'
import { translateBlock } from './translate.mjs'

const words = {
  verbatim: [1],
  texts: { name: '名称', kind: '种类', meaning: '说明', dropped: '丢弃', 'no place': '无处可放' },
  patterns: [[/^at most (\d+)$/, '最多 $1']],
  rows: { B: '第二个' },
}

it('a table is translated by row, by text, by pattern and by parts of a text', () => {
  const table = [
    '| name | kind | meaning |',
    '|---|---|---|',
    '| `A` | Same | at most 3 |',
    '| `B` | Same | whatever |',
    '| `C` | `a, b` | dropped: no place |',
    '| `D` | | `x`, `y` |',
  ]
  const { text, missing, used } = translateBlock(table.join('\n'), words)
  expect(text.split('\n')).toEqual([
    '| 名称 | 种类 | 说明 |',
    '|---|---|---|',
    '| `A` | Same | 最多 3 |',
    '| `B` | Same | 第二个 |',
    '| `C` | `a, b` | 丢弃：无处可放 |',
    '| `D` |  | `x`、`y` |',
  ])
  expect(missing).toEqual([])
  expect([...used].toSorted()).toEqual(['B', 'dropped', 'kind', 'meaning', 'name', 'no place'])
})

it('a list of names is translated by name', () => {
  expect(translateBlock('- `B`: the second: one', words).text).toBe('- `B`：第二个')
})

it('texts without Chinese words are reported', () => {
  expect(translateBlock('| name |\n|---|\n| dropped: unknown |', words).missing).toEqual(['dropped: unknown'])
})
