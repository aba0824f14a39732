// Says that it cannot do this mission at all.
import './work.mjs'

process.stderr.write('I only draw pictures, and this is a text\n')
process.exitCode = 5
