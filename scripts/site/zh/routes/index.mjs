// What each admin route does, in Chinese, by method and path.
import { channelRoutes } from './channels.mjs'
import { moneyRoutes } from './money.mjs'
import { siteRoutes } from './site.mjs'
import { usageRoutes } from './usage.mjs'
import { userRoutes } from './users.mjs'

/** @type {Readonly<Record<string, string>>} */
export const chineseSummaries = {
  ...channelRoutes,
  ...moneyRoutes,
  ...siteRoutes,
  ...usageRoutes,
  ...userRoutes,
}
