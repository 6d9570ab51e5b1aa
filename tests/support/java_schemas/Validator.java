import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import javax.xml.XMLConstants;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.Schema;
import javax.xml.validation.SchemaFactory;
import org.xml.sax.SAXParseException;

/** Reads lines of a set of schemas and a document in hexadecimal digits, writes `valid` or what is wrong for each. */
public class Validator {
    public static void main(String[] arguments) throws Exception {
        Map<String, Schema> schemas = new HashMap<>();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        StringBuilder answers = new StringBuilder();
        for (String line = lines.readLine(); line != null; line = lines.readLine()) {
            String[] words = line.split(" ");
            Schema schema = schemas.get(words[0]);
            if (schema == null) {
                schema = read(Path.of(arguments[0], words[0]));
                schemas.put(words[0], schema);
            }
            byte[] document = HexFormat.of().parseHex(words[1]);
            String answer = "valid";
            try {
                schema.newValidator().validate(new StreamSource(new ByteArrayInputStream(document)));
            } catch (SAXParseException fault) {
                answer = fault.getMessage().replaceAll("\\s+", " ");
            }
            answers.append(answer).append('\n');
        }
        System.out.write(answers.toString().getBytes(StandardCharsets.UTF_8));
        System.out.flush();
    }

    /** The schemas of a set: as many files as stand in its list, in this order. */
    private static Schema read(Path folder) throws Exception {
        Source[] sources = Files.readAllLines(folder.resolve("list")).stream()
            .map(name -> new StreamSource(folder.resolve(name).toFile())).toArray(Source[]::new);
        return SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI).newSchema(sources);
    }
}
