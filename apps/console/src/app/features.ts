import { about } from '../features/about/feature.ts'
import { audit } from '../features/audit/feature.ts'
import { channels } from '../features/channels/feature.ts'
import { doorReturn } from '../features/door-return/feature.ts'
import { home } from '../features/home/feature.ts'
import { login } from '../features/login/feature.ts'
import { personal } from '../features/personal/feature.ts'
import { playground } from '../features/playground/feature.ts'
import { register } from '../features/register/feature.ts'
import { reset, resetConfirm } from '../features/reset/feature.ts'
import { settings } from '../features/settings/feature.ts'
import { setup } from '../features/setup/feature.ts'
import { tokens } from '../features/tokens/feature.ts'
import { usageLog } from '../features/usage-log/feature.ts'
import { users } from '../features/users/feature.ts'
import type { Feature } from '../shared/routing/feature.ts'

/** Every page of the console. A new page is one folder in `features/` and one line here. */
export const features: readonly Feature[] = [
  about,
  audit,
  channels,
  doorReturn,
  home,
  login,
  personal,
  playground,
  register,
  reset,
  resetConfirm,
  settings,
  setup,
  tokens,
  usageLog,
  users,
]
