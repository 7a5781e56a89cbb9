import { expect, it } from 'vitest'
import { adminRoutes, nameOf } from '../../admin-api.mjs'
import { chineseSummaries } from './index.mjs'

const all = adminRoutes()

it('every admin route has a Chinese summary in scripts/site/zh/routes, and every summary a route', () => {
  expect(Object.keys(chineseSummaries).toSorted()).toEqual(all.map(nameOf).toSorted())
})

it('Chinese summaries mention the names and numbers of the English ones', () => {
  const missing = all.flatMap((route) => {
    const parts = route.summary.match(/`[^`]+`|\b\d+\b/g) ?? []
    return parts
      .filter((part) => !chineseSummaries[nameOf(route)]?.includes(part))
      .map((part) => [nameOf(route), part])
  })
  expect(missing).toEqual([])
})
