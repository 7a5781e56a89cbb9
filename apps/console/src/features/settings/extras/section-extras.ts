import type { ComponentType } from 'react'
import { ReceiverList } from '../alert-receivers/receiver-list.tsx'
import { PriceTable } from '../prices/price-table.tsx'
import { LogCleanUp } from './log-clean-up.tsx'
import { MailTest } from './mail-test.tsx'
import { OidcFetch } from './oidc-fetch.tsx'
import { ResetRatios } from './reset-ratios.tsx'
import { VersionFacts } from './version-facts.tsx'

/** Tools shown in a section beside its settings, by section key. */
export const sectionExtras: Readonly<Partial<Record<string, ComponentType>>> = {
  alerts: ReceiverList,
  log: LogCleanUp,
  prices: PriceTable,
  'price-maps': ResetRatios,
  smtp: MailTest,
  oidc: OidcFetch,
  version: VersionFacts,
}
