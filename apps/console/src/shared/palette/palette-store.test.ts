import { expect, it } from 'vitest'
import { matching, type PaletteEntry } from './palette-store.ts'

const entries: readonly PaletteEntry[] = [
  { key: 'log', title: 'Usage log', keywords: '使用日志 /log' },
  { key: 'logout', title: 'Log out' },
  { key: 'channel-7', title: 'Anthropic', detail: '#7' },
]

const keys = (typed: string) => matching(entries, typed).map((entry) => entry.key)

it('shows all entries before anything is typed', () => {
  expect(keys('  ')).toEqual(['log', 'logout', 'channel-7'])
})

it('lists entries that begin with the word first', () => {
  expect(keys('log')).toEqual(['logout', 'log'])
})

it('finds entries by the other language, by detail, and by several words in any order', () => {
  expect(keys('日志')).toEqual(['log'])
  expect(keys('#7')).toEqual(['channel-7'])
  expect(keys('log usage')).toEqual(['log'])
  expect(keys('nothing')).toEqual([])
})
