import { Link } from '@tanstack/react-router'
import { FormPage } from '../../shared/page/form-page.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { useSearchState } from '../../shared/routing/search.ts'
import { AskForm } from './ask-form.tsx'
import { ConfirmForm } from './confirm-form.tsx'
import { resetMessages } from './i18n.ts'
import styles from './page.module.css'
import { resetSearch } from './search.ts'

/** Requests a reset link by email, or sets a new password with the one that was emailed. */
export default function ResetPage() {
  const t = resetMessages.use()
  const [{ email, token }] = useSearchState(resetSearch)
  const hasLink = email !== '' && token !== ''
  return (
    <FormPage
      title={hasLink ? t('word.choosePassword') : t('title')}
      purpose={hasLink ? t('confirm.purpose', { email }) : t('purpose')}
    >
      {hasLink ? <ConfirmForm email={email} token={token} /> : <AskForm />}
      <p className={styles.below}>
        <Link to={paths.login}>{t('word.backToLogin')}</Link>
      </p>
    </FormPage>
  )
}
