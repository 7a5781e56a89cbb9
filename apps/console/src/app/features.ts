import { about } from '../features/about/feature.ts'
import { audit } from '../features/audit/feature.ts'
import { callSessions } from '../features/call-sessions/feature.ts'
import { channelAdd, channelEdit, channels } from '../features/channels/feature.ts'
import { chatLink, chatRedirect } from '../features/chat-link/feature.ts'
import { connect } from '../features/connect/feature.ts'
import { dashboard } from '../features/dashboard/feature.ts'
import { signInReturn } from '../features/sign-in-return/feature.ts'
import { home } from '../features/home/feature.ts'
import { jobs } from '../features/jobs/feature.ts'
import { login } from '../features/login/feature.ts'
import { operations } from '../features/operations/feature.ts'
import { personal } from '../features/personal/feature.ts'
import { playground } from '../features/playground/feature.ts'
import { pricing, pricingModel } from '../features/pricing/feature.ts'
import { redemptions } from '../features/redemptions/feature.ts'
import { register } from '../features/register/feature.ts'
import { reset, resetConfirm } from '../features/reset/feature.ts'
import { settings } from '../features/settings/feature.ts'
import { setup } from '../features/setup/feature.ts'
import { signedInAgain } from '../features/signed-in-again/feature.ts'
import { drawingLog, taskLog } from '../features/task-log/feature.ts'
import { statusPage } from '../features/status-page/feature.ts'
import { tokens } from '../features/tokens/feature.ts'
import { undoEmail } from '../features/undo-email/feature.ts'
import { usageLog } from '../features/usage-log/feature.ts'
import { userEdit, users } from '../features/users/feature.ts'
import { wallet } from '../features/wallet/feature.ts'
import type { Feature } from '../shared/routing/feature.ts'

/** Every page of the console. A new page is one folder in `features/` and one line here. */
export const features: readonly Feature[] = [
  about,
  audit,
  callSessions,
  channelAdd,
  channelEdit,
  channels,
  chatLink,
  chatRedirect,
  connect,
  dashboard,
  signInReturn,
  drawingLog,
  home,
  jobs,
  login,
  operations,
  personal,
  playground,
  pricing,
  pricingModel,
  redemptions,
  register,
  reset,
  resetConfirm,
  settings,
  setup,
  signedInAgain,
  statusPage,
  taskLog,
  tokens,
  undoEmail,
  usageLog,
  userEdit,
  users,
  wallet,
]
