import { useDocumentTitle } from '../../shared/page/page-header.tsx'
import { ButtonLink } from '../../shared/page/plain-button.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { shellMessages } from '../shell/i18n.ts'
import { FullPage } from './full-page.tsx'

export function NotFoundPage() {
  const t = shellMessages.use()
  useDocumentTitle(t('notFound.title'))
  return (
    <FullPage title={t('notFound.title')} text={t('notFound.text')}>
      <ButtonLink to={paths.home} isPrimary>
        {t('notFound.home')}
      </ButtonLink>
    </FullPage>
  )
}
