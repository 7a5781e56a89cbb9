import { expect, it } from 'vitest'
import type { Feature } from '../shared/routing/feature.ts'
import { features } from './features.ts'
import { menuOf, mayOpen } from './shell/menu-items.ts'

const folders = import.meta.glob<Record<string, Feature>>('../features/*/feature.ts', { eager: true })

const admin = {
  id: 1,
  username: 'a',
  display_name: '',
  role: 10,
  group: 'default',
  has_default_password: false,
}
const user = { ...admin, role: 1 }
const off = { enable_data_export: false, enable_drawing: false, enable_task: false }

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

it('hides admin pages from a user', () => {
  const forAdmins = features.filter((feature) => feature.access === 'admin')
  expect(forAdmins.filter((feature) => mayOpen(feature, user))).toEqual([])
  expect(forAdmins.filter((feature) => !mayOpen(feature, admin))).toEqual([])
})

it('leaves no section of the menu empty', () => {
  const groups = menuOf(features, { user: undefined, status: off })
  expect(groups.filter((group) => group.features.length === 0)).toEqual([])
})

it('shows a page that has a feature flag only where the flag is on', () => {
  const [page] = features.filter(({ access, menu }) => access === 'user' && menu !== undefined)
  const switched = features.map((feature) =>
    feature === page && page.menu
      ? { ...page, menu: { ...page.menu, flag: 'enable_drawing' as const } }
      : feature,
  )
  const named = (status: typeof off) =>
    menuOf(switched, { user, status }).flatMap((group) => group.features.map(({ name }) => name))
  expect(named(off)).not.toContain(page?.name)
  expect(named({ ...off, enable_drawing: true })).toContain(page?.name)
})

it('has a page at every address that consoles of new-api have', () => {
  const shapes = features.map(
    ({ path }) => new RegExp(`^${path.replace(/\/\{-\$\w+\}/, '(/[^/]+)?').replace(/\$\w+/, '[^/]+')}$`),
  )
  const missing = familyAddresses.filter((address) => !shapes.some((shape) => shape.test(address)))
  expect(missing).toEqual([])
})

const familyAddresses = [
  '/',
  '/setup',
  '/channel',
  '/channel/add',
  '/channel/edit/3',
  '/token',
  '/playground',
  '/redemption',
  '/user',
  '/user/edit',
  '/user/edit/3',
  '/user/reset',
  '/login',
  '/register',
  '/reset',
  '/oauth/github',
  '/oauth/oidc',
  '/oauth/linuxdo',
  '/setting',
  '/personal',
  '/topup',
  '/log',
  '/detail',
  '/midjourney',
  '/task',
  '/pricing',
  '/about',
  '/status',
  '/chat',
  '/chat/1',
  '/chat2link',
]
