import type { BoundRoute } from '../services/handler.ts'
import { accountSafetyHandlers } from '../services/account-safety/handlers.ts'
import { accountHandlers } from '../services/account/handlers.ts'
import { adminUserHandlers } from '../services/admin-user/handlers.ts'
import type { AdminUserServices } from '../services/admin-user/services.ts'
import { affinityHandlers } from '../services/affinity/handlers.ts'
import { type AlertServices, alertHandlers } from '../services/alert/handlers.ts'
import { operationsHandlers } from '../services/operations/handlers.ts'
import { auditHandlers } from '../services/audit/handlers.ts'
import { callSessionHandlers } from '../services/call-session/handlers.ts'
import { channelHandlers } from '../services/channel/handlers.ts'
import type { ChannelServices } from '../services/channel/services.ts'
import { familyHandlers } from '../services/family/handlers.ts'
import { groupHandlers } from '../services/group/handlers.ts'
import { type InstallationServices, bindInstallationRoutes } from '../services/installation/handlers.ts'
import { jobHandlers } from '../services/job/handlers.ts'
import type { JobServices } from '../services/job/services.ts'
import { logHandlers } from '../services/log/handlers.ts'
import { mailHandlers } from '../services/mail/handlers.ts'
import { modelHandlers } from '../services/model/handlers.ts'
import { oauthHandlers } from '../services/oauth/handlers.ts'
import type { OAuthServices } from '../services/oauth/services.ts'
import { optionHandlers } from '../services/option/handlers.ts'
import type { SiteSettings } from '../snapshots/site-settings.ts'
import { pricingHandlers } from '../services/pricing/handlers.ts'
import { redemptionHandlers } from '../services/redemption/handlers.ts'
import type { RedemptionServices } from '../services/redemption/services.ts'
import { sessionHandlers } from '../services/session/handlers.ts'
import { setupHandlers } from '../services/setup/handlers.ts'
import type { SetupServices } from '../services/setup/run.ts'
import { statementHandlers } from '../services/statement/handlers.ts'
import { statusHandlers } from '../services/status/handlers.ts'
import { taskHandlers } from '../services/task/handlers.ts'
import { statusPageHandlers } from '../services/status-page/handlers.ts'
import type { StatusServices } from '../services/status/read.ts'
import { tokenHandlers } from '../services/token/handlers.ts'
import type { TokenServices } from '../services/token/services.ts'
import { tokenUsageHandlers } from '../services/token-usage/handlers.ts'
import type { TokenUsageServices } from '../services/token-usage/read.ts'
import { topUpHandlers } from '../services/top-up/handlers.ts'
import type { TopUpServices } from '../services/top-up/services.ts'
import { usageHandlers } from '../services/usage/handlers.ts'
import { userHandlers } from '../services/user/handlers.ts'

/** The services that all handlers of the admin API need together. */
export type AllServices = ChannelServices &
  JobServices &
  TokenServices &
  TokenUsageServices &
  SetupServices &
  StatusServices &
  OAuthServices &
  RedemptionServices &
  TopUpServices &
  AdminUserServices &
  AlertServices &
  InstallationServices & { readonly settings: SiteSettings }

/** One line per entity, in the order of the contract's route table. */
export function allHandlers(services: AllServices): readonly BoundRoute[] {
  return [
    ...accountHandlers(services),
    ...accountSafetyHandlers(services),
    ...adminUserHandlers(services),
    ...affinityHandlers(services),
    ...alertHandlers(services),
    ...auditHandlers(services),
    ...callSessionHandlers(services),
    ...channelHandlers(services),
    ...familyHandlers(services),
    ...groupHandlers(services),
    ...bindInstallationRoutes(services),
    ...jobHandlers(services),
    ...logHandlers(services),
    ...mailHandlers(services),
    ...modelHandlers(services),
    ...oauthHandlers(services),
    ...operationsHandlers(services),
    ...optionHandlers(services),
    ...pricingHandlers(services),
    ...redemptionHandlers(services),
    ...sessionHandlers(services),
    ...setupHandlers(services),
    ...statementHandlers(services),
    ...statusHandlers(services),
    ...statusPageHandlers(services),
    ...taskHandlers(services),
    ...tokenHandlers(services),
    ...tokenUsageHandlers(services),
    ...topUpHandlers(services),
    ...usageHandlers(services),
    ...userHandlers(services),
  ]
}
