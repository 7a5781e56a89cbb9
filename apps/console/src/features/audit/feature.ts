import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { auditSearchSchema } from './search.ts'

export const audit = defineFeature({
  name: 'audit',
  path: paths.audit,
  access: 'admin',
  layout: 'console',
  title: { en: 'Audit log', zh: '审计日志' },
  menu: { section: 'admin', icon: 'shield', order: 40 },
  search: auditSearchSchema,
  load: () => import('./page.tsx'),
})
