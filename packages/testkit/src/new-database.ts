import { answeringServers } from './databases.ts'

// `npm run dev` runs this program: it creates an empty database on the named server and prints it as JSON, or drops
// the database that is named second.

const [wish, name] = process.argv.slice(2)
const servers = await answeringServers()
const server = servers.find(({ label }) => (label === 'PostgreSQL') === (wish === 'postgres'))
if (!server) throw new Error(`no ${wish} server answers`)
if (name === undefined) {
  const database = await server.createDatabase()
  process.stdout.write(JSON.stringify({ name: database.name, dsn: database.dsn }))
} else await server.databaseNamed(name).drop()
