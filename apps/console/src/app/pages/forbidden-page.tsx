import { useDocumentTitle } from '../../shared/page/page-header.tsx'
import { ButtonLink } from '../../shared/page/plain-button.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { useSessionUser } from '../../shared/session/session.ts'
import { shellMessages } from '../shell/i18n.ts'
import { FullPage } from './full-page.tsx'

/** Signed in, but not with the role this page needs. */
export function ForbiddenPage() {
  const t = shellMessages.use()
  const user = useSessionUser()
  useDocumentTitle(t('forbidden.title'))
  return (
    <FullPage title={t('forbidden.title')} text={t('forbidden.text', { name: user?.username ?? '' })}>
      <ButtonLink to={paths.home}>{t('notFound.home')}</ButtonLink>
    </FullPage>
  )
}
