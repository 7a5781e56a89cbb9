import type { FamilySource } from './column.ts'

const NEW_API = 'https://github.com/QuantumNous/new-api/blob'
const ONE_API = 'https://github.com/songquanpeng/one-api/blob'

/** Documents that the lists of columns and settings were made from. */
export const sources = {
  user: { document: 'new-api model/user.go', address: `${NEW_API}/0089a12f/model/user.go`, date: '2026-09' },
  userSetting: {
    document: 'new-api dto/user_settings.go',
    address: `${NEW_API}/01408d46/dto/user_settings.go`,
    date: '2026-08',
  },
  token: {
    document: 'new-api model/token.go',
    address: `${NEW_API}/0067bd93/model/token.go`,
    date: '2026-07',
  },
  channel: {
    document: 'new-api model/channel.go',
    address: `${NEW_API}/0102ffab/model/channel.go`,
    date: '2026-07',
  },
  channelSettings: {
    document: 'new-api dto/channel_settings.go',
    address: `${NEW_API}/00945208/dto/channel_settings.go`,
    date: '2026-08',
  },
  redemption: {
    document: 'new-api model/redemption.go',
    address: `${NEW_API}/03f1ecca/model/redemption.go`,
    date: '2026-09',
  },
  topUp: {
    document: 'new-api model/topup.go',
    address: `${NEW_API}/0089a12f/model/topup.go`,
    date: '2026-09',
  },
  task: { document: 'new-api model/task.go', address: `${NEW_API}/01d7dcfd/model/task.go`, date: '2026-06' },
  log: { document: 'new-api model/log.go', address: `${NEW_API}/00423442/model/log.go`, date: '2026-03' },
  main: { document: 'new-api model/main.go', address: `${NEW_API}/0089a12f/model/main.go`, date: '2026-09' },
  twoFactor: {
    document: 'new-api model/twofa.go',
    address: `${NEW_API}/0417e0b9/model/twofa.go`,
    date: '2026-07',
  },
  plan: {
    document: 'new-api model/subscription.go',
    address: `${NEW_API}/main/model/subscription.go`,
    date: '2026-08-11',
  },
  options: {
    document: 'new-api setting/*, model/option.go and router of v1.0.0-rc.24',
    address: `${NEW_API}/e2c7aa7b/setting`,
    date: '2026-08-15',
  },
  expressions: {
    document: 'new-api pkg/billingexpr/expr.md',
    address: `${NEW_API}/4b1ad717/pkg/billingexpr/expr.md`,
    date: '2026-09',
  },
  oneApi: {
    document: 'one-api model/*.go of v0.6.11',
    address: `${ONE_API}/main/model`,
    date: '2025-02-21',
  },
  oneApiTypes: {
    document: 'one-api relay/channeltype/define.go',
    address: `${ONE_API}/main/relay/channeltype/define.go`,
    date: '2025-02-21',
  },
  litellm: {
    document: 'LiteLLM schema.prisma',
    address: 'https://github.com/BerriAI/litellm/blob/029f645f/schema.prisma',
    date: '2026-08',
  },
  veloera: {
    document: 'Veloera model/*.go',
    address: 'https://github.com/Veloera/Veloera/tree/main/model',
    date: '2025-06-18',
  },
} as const satisfies Record<string, FamilySource>
