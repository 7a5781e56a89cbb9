import { defineFeature } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { undoEmailSearch } from './search.ts'

/**
 * The page opened by the link that was emailed to the previous address when an account's address was changed.
 */
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
