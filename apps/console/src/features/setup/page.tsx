import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { Skeleton } from 'antd'
import { useState } from 'react'
import { ErrorState } from '../../shared/page/error-state.tsx'
import { FormPage } from '../../shared/page/form-page.tsx'
import { paths } from '../../shared/routing/paths.ts'
import { setupQuery } from './api.ts'
import { setupMessages } from './i18n.ts'
import { NextSteps } from './next-steps.tsx'
import { SetupForm } from './setup-form.tsx'

export default function SetupPage() {
  const t = setupMessages.use()
  const setup = useQuery(setupQuery)
  const [isJustDone, setIsJustDone] = useState(false)
  if (isJustDone) {
    return (
      <FormPage title={t('done.title')} purpose={t('done.purpose')} isWide>
        <NextSteps />
      </FormPage>
    )
  }
  if (setup.data?.status === true) return <Navigate to={paths.home} replace />
  return (
    <FormPage title={t('title')} purpose={t('purpose')} isWide>
      {setup.isPending && <Skeleton active paragraph={{ rows: 10 }} title={false} />}
      {setup.error !== null && <ErrorState error={setup.error} onRetry={() => void setup.refetch()} />}
      {setup.data !== undefined && <SetupForm state={setup.data} onDone={() => setIsJustDone(true)} />}
    </FormPage>
  )
}
