// Names for JShell: the packages that users of loaders import, and col(...) for filters.
//
//   jshell -R--enable-native-access=ALL-UNNAMED --class-path cli/target/penstock.jar \
//     --startup DEFAULT --startup examples/scripts/penstock.jsh
import dev.penstock.*;
import dev.penstock.batch.*;
import dev.penstock.data.*;
import dev.penstock.filter.*;
import dev.penstock.options.*;
import dev.penstock.schema.*;
import dev.penstock.split.*;
import dev.penstock.transform.*;
import static dev.penstock.filter.Filter.col;
