import type { SettingTab } from '../section.ts'
import { generalSection } from './general.ts'
import { tokensSection } from './tokens.ts'
import { drawingSection } from './drawing.ts'
import { filterSection } from './filter.ts'
import { logSection } from './log.ts'
import { dashboardSection } from './dashboard.ts'
import { monitoringSection } from './monitoring.ts'
import { alertsSection } from './alerts.ts'
import { statusPageSection } from './status-page.ts'
import { affinitySection } from './affinity.ts'
import { membersSection } from './members.ts'
import { responsesSocketSection } from './responses-socket.ts'
import { checkInSection } from './check-in.ts'
import { quotaSection } from './quota.ts'
import { pricesSection } from './prices.ts'
import { priceMapsSection } from './price-maps.ts'
import { groupsSection } from './groups.ts'

/** Daily operation of the site: display, filters, monitoring, rewards and prices. */
export const operationTab = {
  key: 'operation',
  title: { en: 'Operation', zh: '运营' },
  sections: [
    generalSection,
    tokensSection,
    drawingSection,
    filterSection,
    logSection,
    dashboardSection,
    monitoringSection,
    alertsSection,
    statusPageSection,
    affinitySection,
    membersSection,
    responsesSocketSection,
    checkInSection,
    quotaSection,
    pricesSection,
    priceMapsSection,
    groupsSection,
  ],
} as const satisfies SettingTab
