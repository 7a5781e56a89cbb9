import { accountRoutes } from './account.ts'
import { accountSafetyRoutes } from './account-safety.ts'
import { adminUserRoutes } from './admin-user.ts'
import { affinityRoutes } from './affinity.ts'
import { alertRoutes } from './alert.ts'
import { auditRoutes } from './audit.ts'
import { callSessionRoutes } from './call-session.ts'
import { channelInsightRoutes } from './channel-insight.ts'
import { channelKeyRoutes } from './channel-key.ts'
import { channelLessonRoutes } from './channel-lesson.ts'
import { channelRoutes } from './channel.ts'
import { familyRoutes } from './family.ts'
import { groupRoutes } from './group.ts'
import { installationRoutes } from './installation.ts'
import { jobRoutes } from './job.ts'
import { logRoutes } from './log.ts'
import { mailRoutes } from './mail.ts'
import { modelRoutes } from './model.ts'
import { oauthRoutes } from './oauth.ts'
import { operationsRoutes } from './operations.ts'
import { optionHistoryRoutes } from './option-history.ts'
import { optionRoutes } from './option.ts'
import { pricingRoutes } from './pricing.ts'
import { redemptionRoutes } from './redemption.ts'
import type { RouteDefinition } from './route.ts'
import { sessionRoutes } from './session.ts'
import { setupRoutes } from './setup.ts'
import { statementRoutes } from './statement.ts'
import { statusPageRoutes } from './status-page.ts'
import { statusRoutes } from './status.ts'
import { taskRoutes } from './task.ts'
import { tokenRoutes } from './token.ts'
import { tokenUsageRoutes } from './token-usage.ts'
import { topUpRoutes } from './top-up.ts'
import { usageRoutes } from './usage.ts'
import { userRoutes } from './user.ts'

/**
 * The complete admin API, one line per entity. Server, console client and OpenAPI document are built from
 * this table.
 */
export const routes = {
  account: accountRoutes,
  accountSafety: accountSafetyRoutes,
  adminUser: adminUserRoutes,
  affinity: affinityRoutes,
  alert: alertRoutes,
  audit: auditRoutes,
  callSession: callSessionRoutes,
  channel: channelRoutes,
  channelInsight: channelInsightRoutes,
  channelKey: channelKeyRoutes,
  channelLesson: channelLessonRoutes,
  family: familyRoutes,
  group: groupRoutes,
  installation: installationRoutes,
  job: jobRoutes,
  log: logRoutes,
  mail: mailRoutes,
  model: modelRoutes,
  oauth: oauthRoutes,
  operations: operationsRoutes,
  option: optionRoutes,
  optionHistory: optionHistoryRoutes,
  pricing: pricingRoutes,
  redemption: redemptionRoutes,
  session: sessionRoutes,
  setup: setupRoutes,
  statement: statementRoutes,
  status: statusRoutes,
  statusPage: statusPageRoutes,
  task: taskRoutes,
  token: tokenRoutes,
  tokenUsage: tokenUsageRoutes,
  topUp: topUpRoutes,
  usage: usageRoutes,
  user: userRoutes,
} as const satisfies Record<string, Readonly<Record<string, RouteDefinition>>>

export const allRoutes: readonly RouteDefinition[] = Object.values(routes).flatMap((group) =>
  Object.values<RouteDefinition>(group),
)
