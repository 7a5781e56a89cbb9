import type { ComponentType } from 'react'
import { PriceTable } from '../prices/price-table.tsx'
import { LogCleanUp } from './log-clean-up.tsx'
import { MailTest } from './mail-test.tsx'
import { OidcFetch } from './oidc-fetch.tsx'
import { ResetRatios } from './reset-ratios.tsx'
import { VersionFacts } from './version-facts.tsx'

/** What can be tried, looked up or edited in a section beside its settings, by the key of the section. */
export const sectionExtras: Readonly<Partial<Record<string, ComponentType>>> = {
  log: LogCleanUp,
  prices: PriceTable,
  'price-maps': ResetRatios,
  smtp: MailTest,
  oidc: OidcFetch,
  version: VersionFacts,
}
