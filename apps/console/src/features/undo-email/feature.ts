import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { undoEmailSearch } from './search.ts'

/** Where the link leads that was mailed to an address before it was changed. */
export const undoEmail = defineFeature({
  name: 'undo-email',
  path: paths.undoEmail,
  access: 'public',
  layout: 'site',
  title: { en: 'Restore the e-mail address', zh: '恢复邮箱' },
  search: undoEmailSearch,
  needsLibrary: false,
  load: () => import('./page.tsx'),
})
