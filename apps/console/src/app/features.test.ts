import { expect, it } from 'vitest'
import type { Feature } from '../shared/routing/feature.ts'
import { features } from './features.ts'
import { menuOf, mayOpen } from './shell/menu-items.ts'

const folders = import.meta.glob<Record<string, Feature>>('../features/*/feature.ts', { eager: true })

const admin = { id: 1, username: 'a', display_name: '', role: 10, group: 'default' }
const user = { ...admin, role: 1 }

it('lists every page that has a folder, once', () => {
  const existing = Object.values(folders).flatMap((exports) => Object.values(exports))
  expect(features.map((feature) => feature.name).sort()).toEqual(
    existing.map((feature) => feature.name).sort(),
  )
  expect(new Set(features.map((feature) => feature.path)).size).toBe(features.length)
})

it('gives every page a title in both languages', () => {
  expect(features.filter((feature) => feature.title.en === '' || feature.title.zh === '')).toEqual([])
})

it('hides from a user what only an admin may open', () => {
  const forAdmins = features.filter((feature) => feature.access === 'admin')
  expect(forAdmins.filter((feature) => mayOpen(feature, user))).toEqual([])
  expect(forAdmins.filter((feature) => !mayOpen(feature, admin))).toEqual([])
})

it('has no empty section in the menu', () => {
  expect(menuOf(features, undefined).filter((group) => group.features.length === 0)).toEqual([])
})
