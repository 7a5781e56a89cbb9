import { useDocumentTitle } from '../../shared/page/page-header.tsx'
import { ButtonLink } from '../../shared/page/plain-button.tsx'
import type { FeatureAccess } from '../../shared/routing/feature.ts'
import { paths } from '../../shared/routing/paths.ts'
import { useSessionUser } from '../../shared/session/session.ts'
import { shellMessages } from '../shell/i18n.ts'
import { FullPage } from './full-page.tsx'

/** Shown to a signed-in user who does not have the role that the page needs. */
export function ForbiddenPage({ access }: { readonly access: FeatureAccess }) {
  const t = shellMessages.use()
  const user = useSessionUser()
  const title = t(access === 'root' ? 'forbidden.rootTitle' : 'forbidden.title')
  useDocumentTitle(title)
  return (
    <FullPage title={title} text={t('forbidden.text', { name: user?.username ?? '' })}>
      <ButtonLink to={paths.home}>{t('notFound.home')}</ButtonLink>
    </FullPage>
  )
}
