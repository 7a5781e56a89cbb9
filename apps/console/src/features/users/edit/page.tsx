import { useParams } from '@tanstack/react-router'
import { GoTo } from '../../../shared/routing/go-to.tsx'
import { paths } from '../../../shared/routing/paths.ts'

/** Redirects to the list, because the form opens beside it. */
export default function UserEditRedirect() {
  const { id } = useParams({ strict: false })
  return <GoTo href={id === undefined ? paths.personal : `${paths.users}?edit=${encodeURIComponent(id)}`} />
}
